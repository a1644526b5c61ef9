// Declares the fields of a resource once. From the declaration come the schemas of requests and
// answers, the row of a request, the answer of a row, and the form in which repeats are compared. A
// new column is one line in a declaration and one in the Prisma schema.

import { isoText } from '../core/iso-text.ts'
import { objectMaker } from '../core/object-maker.ts'
import { type OptionalSchema, type Schema, Type } from './json-schema.ts'

/** `address_1` is the property `address1`, and `cc_emails` is `ccEmails`, as in Prisma's models. */
type Property<Name> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<Property<Tail>>}`
  : Name

type Stored<Row, Name> = Property<Name> extends keyof Row ? Row[Property<Name>] : never

interface SentColumn<Value> {
  /** The schema of the request's value. */
  readonly sent: Schema
  /** Converts the request's value for storage. If absent, it is stored as it is. */
  readonly read?: (sent: never) => Value
  /** The initial value of a new row. Without it the field is required. */
  readonly initial?: Value
  readonly shown: Schema
  /** Converts the stored value for answers. If absent, it is shown as it is. */
  readonly show?: (value: Value) => unknown
}

/** A column that only the service writes. */
type OwnColumn<Value> = Pick<SentColumn<Value>, 'shown' | 'show'>

/** A field without a column of its own. */
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

/** The columns of a creation. An absent one gets its initial value. */
type Given<Row, F> = Columns<Row, Required<F>> & Partial<Columns<Row, Optional<F>>>

interface DeclaredFields<Row, Context, F> {
  /** The declaration, which a larger resource may contain. */
  readonly fields: F
  /** The names of the fields, in the order of the answers. */
  readonly names: readonly (keyof F & string)[]
  /** The properties of the schemas of creations, changes and answers. */
  readonly creation: { readonly [K in Required<F>]: Schema<Sent<F[K]>> } & {
    readonly [K in Optional<F>]: OptionalSchema<Sent<F[K]>>
  }
  readonly change: { readonly [K in Sendable<F>]: OptionalSchema<Sent<F[K]>> }
  readonly answer: { readonly [K in keyof F]: Schema<Shown<F[K]>> }
  /** The columns of the fields that were sent. */
  readonly readChange: (
    body: { readonly [K in Sendable<F>]?: Sent<F[K]> },
  ) => Partial<Columns<Row, Sendable<F>>>
  readonly readCreation: (
    body: { readonly [K in Required<F>]: Sent<F[K]> } & {
      readonly [K in Optional<F>]?: Sent<F[K]>
    },
  ) => Given<Row, F>
  /** All columns that requests write, for a new row. */
  readonly newColumns: (given: Given<Row, F>) => Columns<Row, Sendable<F>>
  /** The row as the API shows it. */
  readonly view: (row: Row, context: Context) => { readonly [K in keyof F]: Shown<F[K]> }
  /** The part that requests write, as JSON. A repeat of a creation must equal it. */
  readonly canonical: (columns: Columns<Row, Sendable<F>>) => Readonly<Record<string, unknown>>
}

/** `declareFields<Customer>()({ … })`, in the order of the answers. */
export function declareFields<Row extends object, Context = void>() {
  return <F extends FieldsOf<Row, Context, F>>(fields: F): DeclaredFields<Row, Context, F> => {
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
            // A change empties it: what reads a value need not know null.
            body[name] === null ? null : stored(body[name]),
          ]),
      )
    const canonical = viewer(sendable)
    const declared = {
      fields,
      names: all.map(({ name }) => name),
      creation: propertiesOf(sendable, ({ sent, ...field }) =>
        'initial' in field ? Type.Optional(sent ?? {}) : sent,
      ),
      change: propertiesOf(sendable, ({ sent }) => Type.Optional(sent ?? {})),
      answer: propertiesOf(all, ({ shown }) => shown),
      readChange: read,
      readCreation: read,
      newColumns: (given: Values) => ({ ...initial, ...given }),
      view: viewer(all),
      canonical: (columns: Values) => JSON.parse(JSON.stringify(canonical(columns))),
    }
    // The loops know a field only by name; `DeclaredFields` has the type of each.
    return declared as unknown as DeclaredFields<Row, Context, F>
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
  return objectMaker<Values>(
    parts.map(({ name, property, field: { shown, show, from } }) => {
      const by = from ?? show
      const inText = (value: never, context: never) =>
        instantInText(by ? by(value, context) : value)
      return {
        name,
        ...(from === undefined ? { from: property } : {}),
        by: shown.format === 'date-time' ? inText : by,
      }
    }),
  )
}

/** JSON would write the same text, and take three times as long. */
function instantInText(value: unknown): unknown {
  return value instanceof Date ? isoText(value) : value
}

function asItIs(value: unknown): unknown {
  return value
}
