// `lamplighter migrate`: what every start does too, for those who do it before.

import { openHouse } from './open-house.ts'
import { type Output, printOne } from './output.ts'

export async function migrateAll(options: Output): Promise<void> {
  const house = await openHouse({ role: 'guest', creates: true })
  printOne({ database: 'up to date', applied: house.applied.join(', ') }, options)
  await house.close()
}
