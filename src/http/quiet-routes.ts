/** What asks every few seconds and says nothing new: no line, no figure, no trace. */
export const QUIET_ROUTES: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics'])
