// The settings of a team on its page, form by form: their texts as a form sends them, and a field
// for each, as it was typed if the form was refused.

import type { ComponentChildren } from 'preact'
import { TEAM_FIELDS, type TeamField } from '../../accounts/change-team.ts'
import type { TeamWithAccounts } from '../../accounts/find-teams.ts'
import { MODES } from '../../accounts/key.ts'
import { type Form, lineOf } from '../../web/forms.ts'
import { ActionCard } from '../parts/action-form.tsx'
import {
  ChoiceField,
  FlagField,
  FormFault,
  filledForm,
  type RefusedForm,
  TextField,
} from '../parts/fields.tsx'
import { teamPath } from '../paths.ts'

const LOOK_SECTIONS = MODES.map((mode) => `${mode}-look` as const)

/** The facts of a team, whether it may move money, its accounts, and their looks for payers. */
export const TEAM_SECTIONS = ['team', 'payments', ...MODES, ...LOOK_SECTIONS] as const

export type TeamSection = (typeof TEAM_SECTIONS)[number]

interface ShownSetting extends TeamField {
  /** Its value as a text, which is empty if there is none. */
  readonly current: string
}

export function teamSettings(
  team: TeamWithAccounts,
  section: TeamSection,
): readonly ShownSetting[] {
  return TEAM_FIELDS.filter((one) => sectionOf(one) === section).flatMap((one) => {
    const current = one.textIn(team)
    return current === undefined ? [] : [{ ...one, current }]
  })
}

function sectionOf({ form, mode }: TeamField): TeamSection | undefined {
  if (form === 'team' || form === 'payments' || form === undefined) return form
  return form === 'account' ? mode : mode && `${mode}-look`
}

/** A form carries the settings that it showed: an old one would put them back. */
export function textOfShown(team: TeamWithAccounts, section: TeamSection): string {
  return JSON.stringify(teamSettings(team, section).map(({ current }) => current))
}

/** The texts that the form showed, in the order of the settings. None if it does not say. */
export function shownTexts({ shown = '' }: Form): readonly unknown[] {
  try {
    const texts: unknown = JSON.parse(shown)
    return Array.isArray(texts) ? texts : []
  } catch {
    return []
  }
}

/** More than an e-mail address, the longest of them. */
const LONGEST = 400

export function typedIn(form: Form, setting: ShownSetting): string {
  const { current, field, input, choices = [], tidied } = setting
  // A browser does not send an unticked box.
  const isTicked = (name: string) => form[name] === 'on'
  if (input === 'flag') return String(isTicked(field))
  if (input !== 'choices') {
    const line = lineOf(form[field], LONGEST)
    // The command line may have set a text that no line can be typed as: two spaces, for one.
    return line === lineOf(current, LONGEST) ? current : tidied(line)
  }
  return choices.flatMap(([one]) => (isTicked(`${field}_${one}`) ? [one] : [])).join()
}

export interface SettingsFormProps {
  readonly team: TeamWithAccounts
  readonly refused: RefusedForm | undefined
  readonly section: TeamSection
  readonly title: string
  /** The question before it is saved. */
  readonly asks?: string
  readonly class?: string
  readonly hasFile?: boolean
  /** What stands above the fields. */
  readonly children?: ComponentChildren
}

export function SettingsForm(props: SettingsFormProps) {
  const { team, section, refused, children, ...card } = props
  const { typed, faults } = filledForm(refused, section)
  return (
    <ActionCard
      {...card}
      id={`section-${section}`}
      to={`${teamPath(team.id)}/${section}`}
      fields={{ shown: textOfShown(team, section) }}
      button="Save"
    >
      <FormFault text={faults.form} />
      {children}
      {teamSettings(team, section).map((one) => (
        <SettingField
          key={one.field}
          setting={one}
          text={typed[one.field] ?? one.current}
          fault={faults[one.field]}
        />
      ))}
    </ActionCard>
  )
}

interface SettingFieldProps {
  readonly setting: ShownSetting
  readonly text: string
  readonly fault: string | undefined
}

function SettingField({ setting, text, fault }: SettingFieldProps) {
  const { field: name, label, input, choices = [], none } = setting
  const shared = { ...setting, name, fault }
  switch (input) {
    case 'flag':
      return <FlagField {...shared} isSet={text === 'true'} />
    case 'choice':
      return <ChoiceField {...shared} value={text} choices={choices} />
    case 'choices':
      return (
        <fieldset>
          <legend>{label}</legend>
          {choices.map(([one, words]) => (
            <FlagField
              key={one}
              name={`${name}_${one}`}
              label={words}
              isSet={text.split(',').includes(one)}
            />
          ))}
        </fieldset>
      )
    default:
      return <TextField {...shared} value={text} isRequired={none === undefined} />
  }
}
