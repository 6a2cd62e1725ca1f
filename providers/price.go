package providers

// Priced reports whether it is known what the model costs.
func (m Model) Priced() bool { return m.InputPrice > 0 || m.OutputPrice > 0 }

// Cost is what a message took, in US dollars, as far as prices are known.
func (m Model) Cost(u Usage) float64 {
	const unit = 1e6 // prices are for so many tokens
	cached := m.InputPrice
	if m.CachedPrice != nil {
		cached = *m.CachedPrice
	}
	return (float64(u.Input-u.Cached)*m.InputPrice + float64(u.Cached)*cached + float64(u.Output)*m.OutputPrice) / unit
}
