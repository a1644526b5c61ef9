import { type Static, type TSchema, Type } from 'typebox'

/** Points at a schema that has a name of its own, and keeps its type. */
export function ref<T extends TSchema>(schema: T) {
  const { $id } = schema as { readonly $id?: string }
  return Type.Unsafe<Static<T>>({ $ref: `${$id}#` })
}
