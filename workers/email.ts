import { deliverDue } from '../src/deliveries/deliver-due.ts'
import { emailCarrier } from '../src/receipts/email-carrier.ts'
import type { WorkerSpec } from './run.ts'

export const email = {
  carries: 'nothing',
  round: (world) => deliverDue(world, emailCarrier(world)),
} as const satisfies WorkerSpec
