import { deliverDue } from '../src/deliveries/deliver-due.ts'
import { smsCarrier } from '../src/receipts/sms-carrier.ts'
import type { WorkerSpec } from './run.ts'

export const sms = {
  carries: 'nothing',
  round: (world) => deliverDue(world, smsCarrier(world)),
} as const satisfies WorkerSpec
