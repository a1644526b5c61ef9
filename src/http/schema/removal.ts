// How a change empties a field: null leaves it as it is, so the field is named.

import { wrongField } from '../../core/errors.ts'
import { Type } from '../../resource/json-schema.ts'

export const removal = <const Name extends string>(names: readonly Name[]) =>
  Type.Optional(
    Type.Array(Type.Enum(names), {
      maxItems: names.length,
      description: 'Names of fields to empty. null leaves a field as it is.',
      examples: [[names[0]]],
    }),
  )

/** The change, with null for each field that it empties. */
export function withRemoved<Change extends { readonly remove?: readonly string[] }>(
  change: Change,
): Change {
  const { remove = [] } = change
  const both = remove.find((name) => Object.hasOwn(change, name))
  if (both !== undefined) {
    throw wrongField('remove', `names ${both}, which is set too`)
  }
  return { ...change, ...Object.fromEntries(remove.map((name) => [name, null])) }
}
