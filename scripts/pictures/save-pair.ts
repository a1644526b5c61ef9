// A picture of a page by day and by night beside each other.

import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { sideBySide } from './small-png.ts'

export interface Screen {
  readonly width: number
  readonly height: number
  readonly sharpness: number
}

const FOLDER = join(import.meta.dirname, '..', '..', 'docs', 'pictures')

/** `name` is a path under docs/pictures, without its end. */
export async function savePair(
  browser: Browser,
  name: string,
  { width, height, sharpness }: Screen,
  picture: (page: Page) => Promise<Buffer>,
  storageState?: BrowserContextOptions['storageState'],
): Promise<void> {
  const halves = []
  for (const colorScheme of ['light', 'dark'] as const) {
    const context = await browser.newContext({
      colorScheme,
      viewport: { width, height },
      deviceScaleFactor: sharpness,
      ...(storageState === undefined ? {} : { storageState }),
    })
    halves.push(await picture(await context.newPage()))
    await context.close()
  }
  const [day, night] = halves
  if (day === undefined || night === undefined) throw new Error(`no picture of ${name}`)
  const path = join(FOLDER, `${name}.png`)
  const png = sideBySide(day, night)
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, png)
  console.log(`${path} ${Math.round(png.length / 1024)} kB`)
}
