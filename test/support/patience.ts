// For conditions that come about without the test: a wait ends as soon as they hold, and gives up
// before its test would, to report the actual value.

export const PATIENCE = { timeout: 25_000, interval: 20 }
