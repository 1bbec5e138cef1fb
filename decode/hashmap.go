package decode

// HashOrder is the iteration order of a java.util.HashMap of the given initial
// capacity, filled with distinct keys of these hash codes in this order: the
// indexes into hashes. Keys of one hash code in a crowded bucket are taken in
// their order of insertion.
func HashOrder(hashes []int32, capacity int) []int { return nil }
