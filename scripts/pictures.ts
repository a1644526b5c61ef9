// Takes the pictures of docs/, by day and by night, on a desktop and on a phone: of letters, of the
// reference, of the console, of the pages for payers. `letters`, `reference`, `console` or `pages`
// takes only those. It needs a Chromium, by CHROMIUM or in its usual place.

import { chromium } from 'playwright-core'
import { pictureConsole } from './pictures/console.ts'
import { pictureLetters } from './pictures/letters.ts'
import { picturePages } from './pictures/pages.ts'
import { pictureReference } from './pictures/reference.ts'
import { openServiceWithStory } from './pictures/story.ts'

const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium'
const wanted = process.argv.slice(2)
const wants = (name: string) => wanted.length === 0 || wanted.includes(name)

const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
try {
  if (wants('letters')) await pictureLetters(browser)
  if (wants('reference')) await pictureReference(browser)
  if (wants('console') || wants('pages')) {
    const service = await openServiceWithStory(browser)
    try {
      if (wants('pages')) await picturePages(browser, service)
      if (wants('console')) await pictureConsole(browser, service)
    } finally {
      await service.close()
    }
  }
} finally {
  await browser.close()
}
