// Mistakes in a call are refused before anything is sent.

type Input = Readonly<Record<string, unknown>>

/** A filter that sends nothing would select everything. */
export function refuseEmpty(operation: string, query: Input): void {
  for (const [name, value] of Object.entries(query)) {
    const values = [value].flat()
    if (values.length > 0 && !values.some((one) => one === null || one === undefined)) continue
    throw new TypeError(`${operation} got no value for ${name}: leave it out, or give a value.`)
  }
}
