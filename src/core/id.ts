// Ids are UUIDs as text. Ours are of version 7, which sort by their time; any well-formed one may
// be asked for.

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

export function isId(text: string): boolean {
  return UUID.test(text)
}
