/** The options of a route that is no part of the API's document. */
export const HIDDEN = { schema: { hide: true } } as const
