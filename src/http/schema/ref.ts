import { type Schema, Type } from '../../resource/json-schema.ts'

/** Points at a schema that has a name of its own, and keeps its type. */
export function ref<T>(schema: Schema<T>): Schema<T> {
  return Type.Unsafe({ $ref: `${schema.$id}#` })
}
