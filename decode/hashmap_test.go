package decode

import (
	"fmt"
	"slices"
	"testing"
)

// topicPartitionHash is TopicPartition.hashCode for the topic connect-offsets.
func topicPartitionHash(partition int) int32 {
	return 31*(31+int32(partition)) + hashString("connect-offsets")
}

func TestTopicPartitionsIterateAsRecorded(t *testing.T) {
	t.Parallel()
	var all []int
	for p := range 25 {
		all = append(all, p)
	}
	for _, c := range []struct{ inserted, want []int }{
		{all, []int{10, 8, 14, 12, 2, 0, 6, 4, 24, 18, 16, 22, 20, 9, 7, 13, 11, 1, 5, 3, 23, 17, 15, 21, 19}},
		{all[:5], []int{2, 1, 0, 4, 3}},
		{[]int{3, 0, 7, 12, 1}, []int{7, 12, 1, 0, 3}},
		{[]int{1, 2, 12, 17, 19, 24}, []int{24, 12, 2, 1, 17, 19}},
	} {
		var hashes []int32
		for _, p := range c.inserted {
			hashes = append(hashes, topicPartitionHash(p))
		}
		var got []int
		for _, i := range HashOrder(hashes, 16) {
			got = append(got, c.inserted[i])
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%v: %v, want %v", c.inserted, got, c.want)
		}
	}
}

func TestHashOrderGrowsFromAnyCapacity(t *testing.T) {
	t.Parallel()
	hashes := []int32{17, 1, 33, 2, 16}
	for _, c := range []struct {
		capacity int
		want     []int
	}{
		{0, []int{4, 0, 1, 2, 3}},
		{1, []int{4, 0, 1, 2, 3}},
		{16, []int{4, 0, 1, 2, 3}},
		{64, []int{1, 3, 4, 0, 2}},
	} {
		if got := HashOrder(hashes, c.capacity); !slices.Equal(got, c.want) {
			t.Errorf("capacity %d: %v, want %v", c.capacity, got, c.want)
		}
	}
}

func TestHashMapsOfHostileNamesStayFast(t *testing.T) {
	t.Parallel()
	// All names hash alike, so one tree holds them: quadratic work would not end.
	var fields []Field
	for i := range 1 << 16 {
		name := ""
		for bit := range 16 {
			name += [2]string{"Aa", "BB"}[i>>bit&1]
		}
		fields = append(fields, Field{Name: name})
	}
	order := hashOrder(fields)
	slices.Sort(order)
	for i, n := range order {
		if i != n {
			t.Fatalf("key %d is missing or there twice", i)
		}
	}
}

func TestHashCodesAreJavas(t *testing.T) {
	t.Parallel()
	// Printed by a JVM for the same maps.
	for _, c := range []struct {
		value string
		want  int32
	}{
		{`{}`, 0},
		{`{"server":"dbserver1"}`, -282039213},
		{`{"a":1,"b":-2.5,"c":"é😀\ud800","d":true,"e":null,"f":[1,"x",null,false],"g":{"h":false},"big":-9223372036854775801,"é":0.1}`, -370721537},
	} {
		o := ParseValue(rulesNamed("3.6.1"), []byte(c.value))
		if got := o.Map.HashCode(); got != c.want {
			t.Errorf("%s: %d, want %d", c.value, got, c.want)
		}
	}
}

func BenchmarkHashOrder(b *testing.B) {
	for _, n := range []int{3, 12, 100} {
		var fields []Field
		for i := range n {
			fields = append(fields, Field{Name: fmt.Sprintf("field-%d", i)})
		}
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				hashOrder(fields)
			}
		})
	}
}
