// Whether an address may be an endpoint: where it leads is not for its form alone to say.

import { Refusal } from '../core/errors.ts'
import type { World } from '../world.ts'

export async function checkTarget(world: World, targetUrl: string): Promise<void> {
  const fault = await world.endpoints.faultOf(targetUrl)
  if (fault !== undefined) throw new Refusal('invalid_request', { faults: { target_url: [fault] } })
}
