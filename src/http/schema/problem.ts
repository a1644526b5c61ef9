import { ERROR_CATALOGUE, type ErrorCode } from '../../core/errors.ts'
import { Type } from '../../resource/json-schema.ts'
import { exampleProblem } from './examples.ts'

export const problem = Type.Object(
  {
    error: Type.Enum(Object.keys(ERROR_CATALOGUE) as ErrorCode[]),
    message: Type.String(),
    errors: Type.Optional(
      Type.Record(Type.Array(Type.String()), {
        description: 'Faults by field; nested fields are dotted.',
      }),
    ),
    request_id: Type.String(),
  },
  { $id: 'Error', additionalProperties: false, examples: [exampleProblem] },
)
