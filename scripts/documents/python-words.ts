// Translates values of JSON into Python.

/** A value in a source text. */
export function literalOf(value: unknown): string {
  if (value === null) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  return JSON.stringify(value)
}

/** A text that documents the code before it. */
export function textOf(text: string): string {
  return `"""${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"""`
}
