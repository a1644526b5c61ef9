// Makes objects of many properties: rows, and what the API shows of them.

/**
 * The function that makes an object with these properties from their values, in the same order.
 *
 * It is compiled from its text, because an object literal gets all its properties at once. One by
 * one, or in a clone, a hundred of them take ten times as long and leave as much behind.
 */
export function objectMaker(
  names: readonly string[],
): (values: readonly unknown[]) => Record<string, unknown> {
  const properties = names.map((name, at) => `${JSON.stringify(name)}: values[${at}]`)
  return new Function('values', `return { ${properties.join()} }`) as ReturnType<typeof objectMaker>
}
