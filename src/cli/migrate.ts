// `lamplighter migrate` applies missing migrations. Every start does the same.

import { openService } from './open-service.ts'
import { type Output, printOne } from './output.ts'

export async function migrateCommand(options: Output): Promise<void> {
  const service = await openService({ role: 'guest', creates: true })
  printOne({ database: 'up to date', applied: service.applied.join(', ') }, options)
  await service.close()
}
