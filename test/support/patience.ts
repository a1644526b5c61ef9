// For what comes about by itself: a wait ends as soon as it is there, and gives up before its test
// would, to say what was there instead.

export const PATIENCE = { timeout: 25_000, interval: 20 }
