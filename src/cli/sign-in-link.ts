// `lamplighter sign-in-link`: an address that signs somebody in to the console, once.

import { makeSignInLink } from '../operators/sign-in-link.ts'
import { openHouse } from './open-house.ts'
import { type Output, printOne } from './output.ts'

export async function signInLink({ json }: Output): Promise<void> {
  const house = await openHouse({ role: 'guest' })
  try {
    const link = await makeSignInLink(house.world, 'command line')
    // Alone on its line, it can be opened as it stands, and read by a script.
    if (json === true) printOne(link, { json })
    else process.stdout.write(`${link.url}\n`)
  } finally {
    await house.close()
  }
}
