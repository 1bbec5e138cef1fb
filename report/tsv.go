package report

// none is the cell of tsv for what does not apply. No text can look like it,
// since backslashes of texts are doubled. In cells of JSON it is null.
const none Safe = `\N`

// writeTSV prints the table of a document: a header line, then the rows, cells
// parted by one tab each. Safe text holds neither tabs nor newlines.
func writeTSV(out *output, d *Document) {
	if d.Table == nil {
		return
	}
	for i, c := range d.Table.Columns {
		if i > 0 {
			out.b = append(out.b, '\t')
		}
		out.b = append(out.b, c.Name...)
	}
	if !out.line("") {
		return
	}
	for row := range d.Table.Rows {
		for i, cell := range row {
			if i > 0 {
				out.b = append(out.b, '\t')
			}
			out.b = append(out.b, cell.Text...)
		}
		if !out.line("") {
			return
		}
	}
}
