// The schema of a delivery in answers.

import { DELIVERY } from '../../deliveries/delivery-view.ts'
import { Type } from '../../resource/json-schema.ts'

export const delivery = Type.Object(DELIVERY.answer, {
  $id: 'Delivery',
  additionalProperties: false,
  description: 'Its times are real time, even if the account has a clock of its own.',
})
