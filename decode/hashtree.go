package decode

// treeNode is a key's place in the red-black tree beside a crowded bucket.
type treeNode struct {
	parent int
	child  [2]int
	red    bool
}

// insert puts a key into the bucket's tree by textbook red-black insertion and
// gives the key it was hung under, before any rotation.
func (m *hashMap) insert(b *bucket, key int) (parent int) {
	parent = none
	side := 0
	for at := b.root; at != none; {
		parent = at
		side = 1
		if m.less(key, at) {
			side = 0
		}
		at = m.keys[at].node.child[side]
	}
	m.keys[key].node = treeNode{parent: parent, child: [2]int{none, none}, red: true}
	if parent == none {
		b.root = key
	} else {
		m.keys[parent].node.child[side] = key
	}
	m.balance(b, key)
	return parent
}

// less orders by spread hash, then by the keys themselves.
func (m *hashMap) less(a, b int) bool {
	if m.keys[a].hash != m.keys[b].hash {
		return m.keys[a].hash < m.keys[b].hash
	}
	return m.compare(a, b) < 0
}

func (m *hashMap) balance(b *bucket, x int) {
	for {
		parent := m.keys[x].node.parent
		if parent == none || !m.keys[parent].node.red {
			break
		}
		grand := m.keys[parent].node.parent
		side := m.side(grand, parent)
		if uncle := m.keys[grand].node.child[1-side]; uncle != none && m.keys[uncle].node.red {
			m.keys[parent].node.red, m.keys[uncle].node.red, m.keys[grand].node.red = false, false, true
			x = grand
			continue
		}
		if m.side(parent, x) != side {
			x = parent
			m.rotate(b, x, side)
			parent = m.keys[x].node.parent
		}
		m.keys[parent].node.red, m.keys[grand].node.red = false, true
		m.rotate(b, grand, 1-side)
	}
	m.keys[b.root].node.red = false
}

// side is 0 where child hangs left under parent, 1 where right.
func (m *hashMap) side(parent, child int) int {
	if m.keys[parent].node.child[1] == child {
		return 1
	}
	return 0
}

// rotate turns x down to the given side.
func (m *hashMap) rotate(b *bucket, x, side int) {
	nx := &m.keys[x].node
	y := nx.child[1-side]
	ny := &m.keys[y].node
	nx.child[1-side] = ny.child[side]
	if ny.child[side] != none {
		m.keys[ny.child[side]].node.parent = x
	}
	ny.parent = nx.parent
	if nx.parent == none {
		b.root = y
	} else {
		m.keys[nx.parent].node.child[m.side(nx.parent, x)] = y
	}
	ny.child[side] = x
	nx.parent = y
}
