// Stripe's form encoding: names with brackets, as in `metadata[key]`, `expand[0]` and `expand[]`.

export interface StripeForm {
  readonly [name: string]: StripeForm | string
}

type MutableForm = { [name: string]: MutableForm | string }

/** Reads a request's body or query. Lists become forms with the names 0, 1, 2. */
export function readForm(text: string): StripeForm {
  const form: MutableForm = Object.create(null)
  for (const [name, value] of new URLSearchParams(text)) put(form, partsOf(name), value)
  return form
}

/** `a[b][c]` has the parts a, b, c; an empty part is the next place of a list. */
function partsOf(name: string): readonly string[] {
  const opening = name.indexOf('[')
  if (opening <= 0 || !name.endsWith(']')) return [name]
  return [name.slice(0, opening), ...name.slice(opening + 1, -1).split('][')]
}

function put(form: MutableForm, [first = '', ...rest]: readonly string[], value: string): void {
  const name = first === '' ? `${Object.keys(form).length}` : first
  if (rest.length === 0) {
    form[name] = value
    return
  }
  const inner = form[name]
  const group: MutableForm = typeof inner === 'object' ? inner : Object.create(null)
  form[name] = group
  put(group, rest, value)
}

/** The same text for the same parameters in any order. */
export function fingerprintOf(form: StripeForm): string {
  return JSON.stringify(sorted(form))
}

function sorted(form: StripeForm): unknown {
  return Object.keys(form)
    .sort()
    .map((name) => {
      const value = form[name]
      return [name, typeof value === 'object' ? sorted(value) : value]
    })
}
