// `lamplighter secrets …` seals the secrets in the database again.

import { rotateSecrets } from '../upkeep/secrets-keys.ts'
import { withWorld } from './open-service.ts'
import { type Output, printOne } from './output.ts'

export function rotateSecretsCommand(
  options: Output & { readonly newKey?: boolean },
): Promise<void> {
  return withWorld(async (world) => {
    const rotated = await rotateSecrets(world, { hasNewKey: options.newKey === true })
    const shown = options.json === true ? rotated.unused : rotated.unused.join(', ')
    printOne({ ...rotated, unused: shown }, options)
    if (rotated.left > 0) process.exitCode = 1
  })
}
