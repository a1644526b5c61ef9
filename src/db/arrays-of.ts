/** The values of each property in an array of its own, as `unnest` takes them. */
export function arraysOf<T, Property extends keyof T>(
  rows: readonly T[],
  ...properties: readonly Property[]
): readonly (readonly T[Property][])[] {
  return properties.map((property) => rows.map((row) => row[property]))
}
