// The fields of a resource, declared once. From the declaration come the schemas that validate and
// document requests and answers, the row that a request becomes, what an answer shows of a row, and
// what a repeat of a request is compared with. A new column is one line in a declaration and one in
// the Prisma schema.

import { type OptionalSchema, type Schema, Type } from './json-schema.ts'

/** `address_1` is the property `address1`, and `cc_emails` is `ccEmails`, as in Prisma's models. */
type Property<Name> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<Property<Tail>>}`
  : Name

type Stored<Row, Name> = Property<Name> extends keyof Row ? Row[Property<Name>] : never

interface SentColumn<Value> {
  /** How a request writes it. */
  readonly sent: Schema
  /** What is stored of what was sent; without it, that itself. */
  readonly read?: (sent: never) => Value
  /** What a new row holds where nothing was sent; without it, the field is required. */
  readonly initial?: Value
  readonly shown: Schema
  /** What is shown of what is stored; without it, that itself. */
  readonly show?: (value: Value) => unknown
}

/** A column that only the service writes. */
type OwnColumn<Value> = Pick<SentColumn<Value>, 'shown' | 'show'>

/** A field that has no column of its own. */
interface Derived<Row, Context> {
  readonly shown: Schema
  readonly from: (row: Row, context: Context) => unknown
}

type FieldsOf<Row, Context, F> = {
  readonly [K in keyof F]:
    | SentColumn<Stored<Row, K>>
    | OwnColumn<Stored<Row, K>>
    | Derived<Row, Context>
}

type Sendable<F> = { [K in keyof F]: F[K] extends { sent: unknown } ? K : never }[keyof F]
type Optional<F> = {
  [K in keyof F]: F[K] extends { sent: unknown; initial: unknown } ? K : never
}[keyof F]
type Required<F> = Exclude<Sendable<F>, Optional<F>>

type Sent<T> = T extends { readonly sent: Schema<infer S> } ? S : never
type Shown<T> = T extends { readonly shown: Schema<infer S> } ? S : never

type Columns<Row, Names> = { readonly [K in Names as Property<K> & string]: Stored<Row, K> }

/** The columns of a creation: what is absent gets its initial value. */
type Given<Row, F> = Columns<Row, Required<F>> & Partial<Columns<Row, Optional<F>>>

interface Resource<Row, Context, F> {
  /** The properties of a creation's schema, of a change's and of an answer's. */
  readonly creation: { readonly [K in Required<F>]: Schema<Sent<F[K]>> } & {
    readonly [K in Optional<F>]: OptionalSchema<Sent<F[K]>>
  }
  readonly change: { readonly [K in Sendable<F>]: OptionalSchema<Sent<F[K]>> }
  readonly answer: { readonly [K in keyof F]: Schema<Shown<F[K]>> }
  /** The columns of what was sent; a field that was not sent has none. */
  readonly readChange: (
    body: { readonly [K in Sendable<F>]?: Sent<F[K]> },
  ) => Partial<Columns<Row, Sendable<F>>>
  readonly readCreation: (
    body: { readonly [K in Required<F>]: Sent<F[K]> } & {
      readonly [K in Optional<F>]?: Sent<F[K]>
    },
  ) => Given<Row, F>
  /** All columns that requests write, as a new row has them. */
  readonly newColumns: (given: Given<Row, F>) => Columns<Row, Sendable<F>>
  /** What the API shows of a row. */
  readonly view: (row: Row, context: Context) => { readonly [K in keyof F]: Shown<F[K]> }
  /** The part of it that requests write, as JSON: a repeat of a creation must say the same. */
  readonly said: (columns: Columns<Row, Sendable<F>>) => Readonly<Record<string, unknown>>
}

/** `declareFields<Customer>()({ … })`, in the order in which answers show them. */
export function declareFields<Row extends object, Context = void>() {
  return <F extends FieldsOf<Row, Context, F>>(fields: F): Resource<Row, Context, F> => {
    const all = Object.entries(fields as unknown as Record<string, Field>).map(partOf)
    const sendable = all.filter(({ field }) => field.sent !== undefined)
    const initial = Object.fromEntries(
      sendable.flatMap(({ property, field }) =>
        'initial' in field ? [[property, field.initial]] : [],
      ),
    )
    const read = (body: Values) =>
      Object.fromEntries(
        sendable
          .filter(({ name }) => body[name] !== undefined)
          .map(({ name, property, field: { read: stored = asItIs } }) => [
            property,
            stored(body[name]),
          ]),
      )
    const said = viewer(sendable)
    const declared = {
      creation: propertiesOf(sendable, ({ sent, ...field }) =>
        'initial' in field ? Type.Optional(sent ?? {}) : sent,
      ),
      change: propertiesOf(sendable, ({ sent }) => Type.Optional(sent ?? {})),
      answer: propertiesOf(all, ({ shown }) => shown),
      readChange: read,
      readCreation: read,
      newColumns: (given: Values) => ({ ...initial, ...given }),
      view: viewer(all),
      said: (columns: Values) => JSON.parse(JSON.stringify(said(columns))),
    }
    // The loops know a field by its name alone; `Resource` says what is true of each of them.
    return declared as unknown as Resource<Row, Context, F>
  }
}

type Values = Readonly<Record<string, unknown>>

/** Any of the three kinds of field. */
interface Field {
  readonly sent?: Schema
  readonly read?: (sent: unknown) => unknown
  readonly initial?: unknown
  readonly shown: Schema
  readonly show?: (value: unknown) => unknown
  readonly from?: (row: Values, context: unknown) => unknown
}

interface Part {
  readonly name: string
  readonly property: string
  readonly field: Field
}

function partOf([name, field]: [string, Field]): Part {
  return { name, property: name.replace(/_(.)/g, (_, first) => first.toUpperCase()), field }
}

function propertiesOf(parts: readonly Part[], schemaOf: (field: Field) => unknown) {
  return Object.fromEntries(parts.map(({ name, field }) => [name, schemaOf(field)]))
}

function viewer(parts: readonly Part[]) {
  const shown = parts.map(({ name, property, field: { show, from } }) => ({
    name,
    of: from ?? ((row: Values) => (show === undefined ? row[property] : show(row[property]))),
  }))
  // A clone keeps its shape; an object that is given many properties one by one becomes a
  // dictionary, which takes eight times the memory.
  const blank = JSON.parse(
    JSON.stringify(Object.fromEntries(shown.map(({ name }) => [name, null]))),
  )
  return (row: Values, context?: unknown) => {
    const view: Record<string, unknown> = { ...blank }
    for (const { name, of } of shown) view[name] = of(row, context)
    return view
  }
}

function asItIs(value: unknown): unknown {
  return value
}
