// Translates values of JSON and names of JavaScript into Python.

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

/** `createCharge` is `create_charge`. */
export function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}
