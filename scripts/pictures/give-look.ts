// Gives a shop of the story a look: a logo, a colour, a contact and another language than English.

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'

const LOGO = `
  <svg width="336" height="96" viewBox="0 0 336 96">
    <circle cx="48" cy="48" r="44" fill="#0b6e69" />
    <path d="M26 40h38v14a19 19 0 0 1-38 0z M64 44h6a8 8 0 0 1 0 16h-7" fill="none"
      stroke="#fff" stroke-width="6" stroke-linejoin="round" />
    <text x="108" y="64" font-family="Georgia, serif" font-size="44" fill="#16302e">Harbour</text>
  </svg>`

/** The changes of a team, as the command line takes them. */
export async function lookTexts(browser: Browser, folder: string): Promise<readonly string[]> {
  const page = await browser.newPage({ viewport: { width: 336, height: 96 } })
  await page.setContent(`<body style="margin: 0; background: transparent">${LOGO}</body>`)
  const path = join(folder, 'logo.png')
  await writeFile(path, await page.screenshot({ omitBackground: true }))
  await page.close()
  return [
    `sandbox_logo=${path}`,
    'sandbox_colour=#0b6e69',
    'sandbox_language=fr',
    'sandbox_support_email=bonjour@harbour.example',
    'sandbox_support_phone=+1 212 555 0100',
  ]
}
