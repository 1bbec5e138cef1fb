package decode

import "koffsets/release"

// WorkerLog is the line a worker logs for the key, or "" where it logs none.
func WorkerLog(rules *release.Rules, c *Check) string {
	return ""
}
