// The logo in the form of a look: a file that was chosen, or the wish to have none.

import type { FastifyRequest } from 'fastify'
import { SETTING_FAULTS, type TeamChange } from '../../accounts/change-team.ts'
import type { TeamWithAccounts } from '../../accounts/find-teams.ts'
import { logoOf, logosOf, logoText } from '../../accounts/keep-logo.ts'
import { formOf, uploadOf } from '../../web/forms.ts'
import type { World } from '../../world.ts'
import type { FormFaults } from '../parts/fields.tsx'
import { type LookSection, modeOf, type SettingChange, sentenceOf } from './settings.ts'

interface LogoForm {
  readonly faults?: FormFaults
  readonly change?: SettingChange
  readonly read?: TeamChange
}

export async function readLogoForm(
  world: World,
  request: FastifyRequest,
  team: TeamWithAccounts,
  section: LookSection,
): Promise<LogoForm> {
  const mode = modeOf(section)
  const account = team.accounts.find((one) => one.mode === mode)
  const bytes = uploadOf(request, `${mode}_logo`)
  const isRemoved = formOf(request)[`${mode}_no_logo`] === 'on'
  if (account === undefined || (bytes === undefined && !isRemoved)) return {}
  const current = (await logosOf(world.db, [account.id])).get(account.id)
  const logo = bytes === undefined ? undefined : logoOf(bytes)
  if (bytes !== undefined && logo === undefined) {
    return { faults: { [`${mode}_logo`]: sentenceOf(SETTING_FAULTS.logo) } }
  }
  if (logo?.hash === current?.hash) return {}
  const change = { name: `${mode}_logo`, from: logoText(current), to: logoText(logo) }
  return { change, read: { mode, account: { logo: logo ?? null } } }
}
