// The schemas of a sandbox clock: what sets it, and the answer.

import { Type } from '../../resource/json-schema.ts'
import { instant } from '../../resource/schemas.ts'
import { resourceSchema } from './answers.ts'

const EXAMPLE = '2026-03-07T12:00:00Z'

export const newSandboxClock = Type.Object(
  {
    now: instant(
      "ISO 8601, `YYYY-MM-DD` or `YYYY-MM-DD HH:MM:SS`; UTC unless it names an offset. From 1970 to 8999, and at most ten years ahead of the account's current time, except for the first setting in an account without transactions and schedules.",
      EXAMPLE,
    ),
  },
  { examples: [{ now: EXAMPLE }] },
)

export const sandboxClock = resourceSchema('SandboxClock', {
  now: Type.Unsafe<Date>({ type: 'string', format: 'date-time' }),
  status: Type.Enum(['ready', 'advancing']),
  target: Type.Unsafe<Date | null>({
    type: ['string', 'null'],
    format: 'date-time',
    description: 'The instant to which it is being advanced.',
  }),
  progress: Type.Unsafe<number | null>({
    type: ['number', 'null'],
    minimum: 0,
    maximum: 1,
    description: 'The part of the advance that is done.',
  }),
})
