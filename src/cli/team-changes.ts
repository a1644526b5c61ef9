// The changes of a team as the command line writes them: `status=inactive`, `live_cutoff=18:30`.

import { readFileSync, statSync } from 'node:fs'
import { TEAM_FIELDS, type TeamChange } from '../accounts/change-team.ts'
import { LOGO_FAULT, logoOf } from '../accounts/keep-logo.ts'
import { MODES, type Mode } from '../accounts/key.ts'
import { ACCOUNT_SETTINGS, TEAM_SETTINGS } from '../accounts/team-settings.ts'
import { OperatorError } from '../core/operator-error.ts'
import { MOST_PICTURE_BYTES } from '../core/picture.ts'
import { nearestName } from '../core/spelling.ts'

const LOGO = { name: 'logo', takes: 'the path of a PNG or JPEG file, or none' }

const FORM = [
  ...TEAM_SETTINGS.map(({ name, takes }) => `${name}=${takes}`),
  ...[...ACCOUNT_SETTINGS, LOGO].map(
    ({ name, takes }) => `${MODES.map((mode) => `${mode}_${name}`).join('|')}=${takes}`,
  ),
].join(', ')

const NAMES = [
  ...TEAM_FIELDS.map(({ field }) => field),
  ...MODES.map((one) => `${one}_${LOGO.name}`),
]

const FORM_OF_CHANGE = /^([a-z_]+)=(.*)$/

export function readTeamChange(text: string): TeamChange {
  const [, name = '', value = ''] = FORM_OF_CHANGE.exec(text) ?? []
  const change = changeOf(name, value)
  if (change === undefined) {
    // At the end of the list, where a terminal shows it.
    const nearest = nearestName(/^[^=:]*/.exec(text)?.[0] ?? '', NAMES)
    const hint = nearest === undefined ? '' : `; did you mean ${nearest}=…?`
    throw new OperatorError(`${text} is not a change of a team: ${FORM}${hint}`)
  }
  if (typeof change === 'string') throw new OperatorError(`${text}: ${change}`)
  return change
}

/** Or the fault of the value. Undefined if there is no such setting. */
function changeOf(name: string, value: string): TeamChange | string | undefined {
  const mode = MODES.find((one) => name === `${one}_${LOGO.name}`)
  if (mode !== undefined) return readLogo(mode, value)
  const setting = TEAM_FIELDS.find(({ field }) => field === name)
  // A variable of a script that is not set must not remove anything.
  return value === '' ? setting?.fault : setting?.changeTo(value)
}

/** Or the fault of the file. */
function readLogo(mode: Mode, path: string): TeamChange | string {
  if (path === 'none') return { mode, account: { logo: null } }
  const file = statSync(path, { throwIfNoEntry: false })
  if (file?.isFile() !== true) return `there is no file ${path}`
  const logo = file.size > MOST_PICTURE_BYTES ? undefined : logoOf(readFileSync(path))
  return logo === undefined ? LOGO_FAULT : { mode, account: { logo } }
}
