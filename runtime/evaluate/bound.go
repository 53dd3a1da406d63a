package evaluate

import "math"

// upper95 is the exact (Clopper–Pearson) one-sided 95 % upper bound on a rate of
// which wrong of n were seen: the largest rate under which so few would still be
// seen one time in twenty. For 0 of 15 it is 1 − 0.05^(1/15) = 0.181.
func upper95(wrong, n int) float64 {
	if n == 0 || wrong >= n {
		return 1
	}
	low, high := 0.0, 1.0
	for range 60 { // halving 60 times is past a float's precision
		p := (low + high) / 2
		if atMost(wrong, n, p) > 0.05 {
			low = p
		} else {
			high = p
		}
	}
	return math.Round(high*1e4) / 1e4
}

// atMost is P(X ≤ k) for X binomial over n trials.
func atMost(k, n int, p float64) float64 {
	sum := 0.0
	for i := 0; i <= k; i++ {
		sum += math.Exp(choose(n, i) + float64(i)*math.Log(p) + float64(n-i)*math.Log1p(-p))
	}
	return sum
}

// choose is the logarithm of the binomial coefficient.
func choose(n, k int) float64 {
	a, _ := math.Lgamma(float64(n + 1))
	b, _ := math.Lgamma(float64(k + 1))
	c, _ := math.Lgamma(float64(n - k + 1))
	return a - b - c
}
