// `lamplighter start` runs the whole service in one process and prints what a newcomer needs.

import { QUEUE_NAMES } from '../queue/catalogue.ts'
import { serve } from './serve.ts'

export async function startCommand(): Promise<void> {
  await serve({
    role: 'owner',
    api: true,
    queues: QUEUE_NAMES,
    async onReady({ world }, address) {
      const { welcome } = await import('./welcome.ts')
      process.stdout.write(await welcome(world, address ?? ''))
    },
  })
}
