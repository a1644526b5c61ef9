import { Type } from '../../resource/json-schema.ts'

/**
 * For the document: the rooms read them by themselves, since a header and a field may say the same.
 */
export const idempotencyHeaders = Type.Object({
  'idempotency-key': Type.Optional(
    Type.String({
      description: 'Up to 255 characters. A repeat with the same key gets the same answer.',
    }),
  ),
})

export const chargeHeaders = Type.Object({
  ...idempotencyHeaders.properties,
  prefer: Type.Optional(
    Type.String({ description: '`respond-async`: answer 202 and PENDING at once.' }),
  ),
})
