// `lamplighter secrets …`

import { rotateSecrets } from '../upkeep/rotate-secrets.ts'
import { openHouse } from './open-house.ts'
import { type Output, printOne } from './output.ts'

export async function rotate(options: Output & { readonly newKey?: boolean }): Promise<void> {
  const house = await openHouse({ role: 'guest' })
  try {
    const rotated = await rotateSecrets(house.world, { hasNewKey: options.newKey === true })
    printOne(
      options.json === true ? rotated : { ...rotated, unused: rotated.unused.join(', ') },
      options,
    )
    if (rotated.left > 0) process.exitCode = 1
  } finally {
    await house.close()
  }
}
