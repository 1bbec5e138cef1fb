package decode

// HashOrder is the iteration order of a java.util.HashMap of the given initial
// capacity, filled with distinct keys of these hash codes in this order: the
// indexes into hashes. Keys of one hash code in a crowded bucket count as
// ordered by their insertion.
func HashOrder(hashes []int32, capacity int) []int {
	table := 1
	for table < capacity {
		table *= 2
	}
	m := newHashMap(len(hashes), table, func(a, b int) int { return a - b })
	for i, h := range hashes {
		m.put(i, h)
	}
	return m.order()
}

// hashOrder is the iteration order of a new HashMap filled with the fields.
func hashOrder(fields []Field) []int {
	if len(fields) <= crowded {
		return bucketOrder(fields)
	}
	m := newHashMap(len(fields), 16, func(a, b int) int { return compareUnits(fields[a].Name, fields[b].Name) })
	for i := range fields {
		m.put(i, hashString(fields[i].Name))
	}
	return m.order()
}

// bucketOrder is hashOrder for so few fields that nothing grows or crowds.
func bucketOrder(fields []Field) []int {
	var buckets [crowded]int32
	order := make([]int, len(fields))
	for i := range fields {
		bucket := spread(hashString(fields[i].Name)) & 15
		at := i
		for ; at > 0 && buckets[at-1] > bucket; at-- {
			buckets[at], order[at] = buckets[at-1], order[at-1]
		}
		buckets[at], order[at] = bucket, i
	}
	return order
}

// spread is HashMap.hash.
func spread(hash int32) int32 { return hash ^ int32(uint32(hash)>>16) }

// hashMap is a model of java.util.HashMap (JDK 8 and later) that knows its
// keys by number and keeps nothing but the order of iteration: buckets are
// lists of keys, some with a tree beside them.
type hashMap struct {
	buckets []bucket
	keys    []hashKey
	size    int
	compare func(a, b int) int // of keys with one hash
}

type hashKey struct {
	hash       int32 // spread
	prev, next int   // in the bucket, -1 at its ends
	node       treeNode
}

type bucket struct {
	first, last, size int
	tree              bool
	root              int
}

const (
	none          = -1
	crowded       = 8  // more in a list make a tree of it
	sparse        = 6  // this many or fewer are a list again after a split
	leastForTrees = 64 // a smaller table grows instead
)

func newHashMap(keys, table int, compare func(a, b int) int) *hashMap {
	m := &hashMap{buckets: make([]bucket, table), keys: make([]hashKey, keys), compare: compare}
	for i := range m.buckets {
		m.buckets[i] = bucket{first: none, last: none}
	}
	return m
}

func (m *hashMap) put(key int, hash int32) {
	hash = spread(hash)
	m.keys[key].hash = hash
	b := &m.buckets[int(hash)&(len(m.buckets)-1)]
	if b.tree {
		parent := m.insert(b, key)
		m.link(b, key, parent)
		m.rootFirst(b)
	} else {
		m.link(b, key, b.last)
		if b.size > crowded {
			if len(m.buckets) < leastForTrees {
				m.grow()
			} else {
				m.makeTree(b)
			}
		}
	}
	if m.size++; m.size > len(m.buckets)*3/4 {
		m.grow()
	}
}

// link puts a key into the bucket's list, behind another or first.
func (m *hashMap) link(b *bucket, key, behind int) {
	k := &m.keys[key]
	k.prev, k.next = behind, b.first
	if behind != none {
		k.next = m.keys[behind].next
		m.keys[behind].next = key
	} else {
		b.first = key
	}
	if k.next != none {
		m.keys[k.next].prev = key
	} else {
		b.last = key
	}
	b.size++
}

func (m *hashMap) unlink(b *bucket, key int) {
	k := m.keys[key]
	if k.prev != none {
		m.keys[k.prev].next = k.next
	} else {
		b.first = k.next
	}
	if k.next != none {
		m.keys[k.next].prev = k.prev
	} else {
		b.last = k.prev
	}
	b.size--
}

// rootFirst moves the root of the bucket's tree to the front of its list.
func (m *hashMap) rootFirst(b *bucket) {
	if b.first != b.root {
		m.unlink(b, b.root)
		m.link(b, b.root, none)
	}
}

func (m *hashMap) makeTree(b *bucket) {
	b.tree, b.root = true, none
	for key := b.first; key != none; key = m.keys[key].next {
		m.insert(b, key)
	}
	m.rootFirst(b)
}

// grow doubles the table. Both halves of a bucket keep its order; a half of a
// tree gets a tree of its own, or none where it is sparse.
func (m *hashMap) grow() {
	old := m.buckets
	m.buckets = make([]bucket, 2*len(old))
	for i, b := range old {
		low, high := &m.buckets[i], &m.buckets[i+len(old)]
		*low = bucket{first: none, last: none}
		*high = *low
		for key := b.first; key != none; {
			next := m.keys[key].next
			half := low
			if int(m.keys[key].hash)&len(old) != 0 {
				half = high
			}
			m.link(half, key, half.last)
			key = next
		}
		if !b.tree {
			continue
		}
		for _, h := range [2][2]*bucket{{low, high}, {high, low}} {
			half, other := h[0], h[1]
			switch {
			case half.size <= sparse:
			case other.size == 0:
				half.tree, half.root = true, b.root
			default:
				m.makeTree(half)
			}
		}
	}
}

func (m *hashMap) order() []int {
	order := make([]int, 0, len(m.keys))
	for i := range m.buckets {
		for key := m.buckets[i].first; key != none; key = m.keys[key].next {
			order = append(order, key)
		}
	}
	return order
}
