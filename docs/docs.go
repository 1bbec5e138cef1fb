// Package docs embeds the pages that koffsets shows itself.
package docs

import _ "embed"

// Findings is docs/findings.md: an entry per kind of finding.
//
//go:embed findings.md
var Findings string
