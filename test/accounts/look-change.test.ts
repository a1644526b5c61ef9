// The texts that an operator types to change an account's look at the command line, and their
// meaning.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { changeTeam } from '../../src/accounts/change-team.ts'
import { teamNamed } from '../../src/accounts/list-teams.ts'
import { readTeamChange } from '../../src/cli/team-changes.ts'
import { jpegOf, pngOf } from '../support/pictures.ts'
import { openTestService } from '../support/test-service.ts'

const folder = mkdtempSync(join(tmpdir(), 'look-'))
const fileOf = (name: string, bytes: Buffer | string) => {
  writeFileSync(join(folder, name), bytes)
  return join(folder, name)
}

afterAll(() => rmSync(folder, { recursive: true }))

describe('a change of a look', () => {
  const live = (account: object) => ({ mode: 'live', account })

  it.each([
    ['live_language=fr', live({ language: 'fr' })],
    ['live_colour=#0B5FFF', live({ colour: '#0b5fff' })],
    ['live_colour=none', live({ colour: null })],
    ['live_support_email=help@shop.example', live({ supportEmail: 'help@shop.example' })],
    ['live_support_phone=(212) 555-0100', live({ supportPhone: '(212) 555-0100' })],
    ['live_website=https://shop.example/a?b=c', live({ website: 'https://shop.example/a?b=c' })],
    ['live_website=none', live({ website: null })],
    ['live_logo=none', live({ logo: null })],
  ])('%s', (text, change) => {
    expect(readTeamChange(text)).toEqual(change)
  })

  it.each([
    ['live_language=de', 'en, es, fr'],
    ['live_language=FR', 'en, es, fr'],
    ['live_colour=blue', '#0b5fff'],
    ['live_colour=#fff', '#0b5fff'],
    ['live_support_email=a@b, c@d', 'help@shop.example'],
    ['live_support_email=a b@shop.example', 'help@shop.example'],
    ['live_support_phone=12', '+1 212 555 0100'],
    [`live_support_phone=${'1 '.repeat(15)}${' '.repeat(20)}`, '+1 212 555 0100'],
    ['live_website=ftp://shop.example', 'https://'],
    ['live_website=https://localhost', 'https://'],
    ['live_website=https://a:b@shop.example', 'https://'],
    ['live_website=https://shop.example/\u202egnp', 'https://'],
    ['live_logo=/nowhere/logo.png', 'there is no file'],
    ['live_logo=/tmp', 'there is no file'],
    ['live_logo=https://shop.example/logo.png', 'there is no file'],
    ['live_color=#0b5fff', 'live_colour=#rrggbb or none'],
  ])('%j is refused, and the refusal names the right form', (text, right) => {
    expect(() => readTeamChange(text)).toThrow(right)
  })

  it('takes a logo from a picture file, and from no other', () => {
    const picture = readTeamChange(`live_logo=${fileOf('a.txt', pngOf())}`)
    expect(picture).toMatchObject(live({ logo: { kind: 'png', width: 320, height: 96 } }))
    const svg = fileOf('logo.png', '<svg onload="alert(1)"/>')
    expect(() => readTeamChange(`live_logo=${svg}`)).toThrow('a PNG or JPEG picture')
    const large = fileOf('large.png', Buffer.alloc(70_000))
    expect(() => readTeamChange(`live_logo=${large}`)).toThrow('at most 64 kB')
  })
})

describe('a team', () => {
  let service: Awaited<ReturnType<typeof openTestService>>

  beforeAll(async () => {
    service = await openTestService({ queues: [] })
  })
  afterAll(() => service.close())

  it('shows the look of each of its accounts that has one', async () => {
    const { world } = service
    const { teamId } = await service.merchant()
    const logo = fileOf('b.jpg', jpegOf(200, 50))
    const texts = ['live_language=es', 'live_colour=#0b5fff', `live_logo=${logo}`]
    await changeTeam(world, teamId, texts.map(readTeamChange))
    expect(await teamNamed(world, teamId)).toMatchObject({
      sandboxLook: [],
      liveLook: ['language=es', 'colour=#0b5fff', 'logo=JPEG, 200 × 50'],
    })
    await changeTeam(world, teamId, ['live_logo=none', 'live_language=en'].map(readTeamChange))
    expect((await teamNamed(world, teamId)).liveLook).toEqual(['colour=#0b5fff'])
  })
})
