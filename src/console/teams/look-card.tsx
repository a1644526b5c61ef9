// The look of an account: the form, and samples of what payers see, by day and by night.

import type { Mode } from '../../accounts/key.ts'
import { contactOf, type LogoFacts, type Look, shownSize } from '../../accounts/look.ts'
import { isColour, type Scheme } from '../../core/colour.ts'
import { DEFAULT_LANGUAGE, type Language, languageOf } from '../../core/language.ts'
import { PICTURE_RULE, PICTURE_TYPES } from '../../core/picture.ts'
import type { Account } from '../../generated/client.ts'
import type { Operator } from '../../operators/session.ts'
import { colourPath, logoPath, sampleClass } from '../../web/look-files.ts'
import { ActionCard } from '../parts/action-form.tsx'
import type { FormFaults } from '../parts/fields.tsx'
import { ChoiceField, FileField, FlagField, FormFault, TextField } from '../parts/fields.tsx'
import { TEAMS_PATH } from './list.tsx'

const LANGUAGE_CHOICES: readonly (readonly [Language, string])[] = [
  ['en', 'English'],
  ['es', 'Spanish'],
  ['fr', 'French'],
]

const SCHEMES = [
  ['light', 'By day'],
  ['dark', 'By night'],
] as const

interface LookCardProps {
  readonly teamId: string
  readonly teamName: string
  readonly account: Account
  readonly logo: LogoFacts | undefined
  readonly operator: Operator
  /** As saved, or as typed where the form was refused. */
  readonly settings: Readonly<Record<string, string>>
  readonly faults: FormFaults
  /** By `textOfShown`. */
  readonly shown: string
}

export function LookCard(props: LookCardProps) {
  const { teamId, teamName, account, logo, operator, settings, faults, shown } = props
  const { mode } = account
  const field = (own: string) => {
    const name = `${mode}_${own}`
    return { name, value: settings[name], fault: faults[name] }
  }
  return (
    <ActionCard
      title={TITLES[mode]}
      id={`section-${mode}-look`}
      to={`${TEAMS_PATH}/${teamId}/${mode}-look`}
      operator={operator}
      class="look"
      hasFile
      button="Save"
    >
      <FormFault text={faults.form} />
      <input type="hidden" name="shown" value={shown} />
      <p class="quiet">
        What payers see on the pages of its links and invoices, and in its letters.
      </p>
      <Samples name={teamName} look={lookOf(account, logo)} />
      <ChoiceField
        {...field('language')}
        label="Language"
        choices={LANGUAGE_CHOICES}
        hint="Of letters, and of pages for payers whose browser asks for none of the three."
      />
      <TextField
        {...field('colour')}
        label="Colour"
        placeholder="#0b5fff"
        longest={7}
        hint="Of buttons and lines. It is made darker or lighter where it could not be read."
      />
      <FileField
        {...field('logo')}
        label="Logo"
        accept={Object.values(PICTURE_TYPES).join()}
        hint={`It is ${PICTURE_RULE}. Every e-mail carries it, so a small one is better.`}
      />
      {logo === undefined ? null : (
        <FlagField name={`${mode}_no_logo`} label="Remove the logo" isSet={false} />
      )}
      <TextField
        {...field('support_email')}
        label="Payers write to"
        hint="Also the reply-to address of its letters."
      />
      <TextField {...field('support_phone')} label="Payers call" />
      <TextField {...field('website')} label="Website" placeholder="https://shop.example" />
    </ActionCard>
  )
}

const TITLES: Readonly<Record<Mode, string>> = {
  live: 'Look of the live account',
  sandbox: 'Look of the sandbox account',
}

function lookOf(account: Account, logo: LogoFacts | undefined): Look {
  const { colour, supportEmail, supportPhone, website } = account
  const language = languageOf(account.language) ?? DEFAULT_LANGUAGE
  return { language, colour, logo, supportEmail, supportPhone, website }
}

function Samples({ name, look }: { name: string; look: Look }) {
  const { colour } = look
  return (
    <div class="samples">
      {colour === null ? null : <link rel="stylesheet" href={colourPath(colour)} />}
      {SCHEMES.map(([scheme, label]) => (
        <Sample key={scheme} {...{ name, look, scheme, label }} />
      ))}
    </div>
  )
}

interface SampleProps {
  readonly name: string
  readonly look: Look
  readonly scheme: Scheme
  readonly label: string
}

/** Nothing in it can be pressed: it only shows. */
function Sample({ name, look, scheme, label }: SampleProps) {
  const { colour, logo } = look
  const own = colour !== null && isColour(colour) ? sampleClass(colour, scheme) : ''
  return (
    <figure class={`sample ${scheme} ${own}`}>
      <div class="sample-head">
        {logo === undefined ? null : <img src={logoPath(logo)} alt="" {...shownSize(logo)} />}
        <bdi>{name}</bdi>
      </div>
      <span class="sample-button">Pay $12.50</span>
      <small>
        {contactOf(look).map(({ text }) => (
          <bdi key={text}>{text}</bdi>
        ))}
      </small>
      <figcaption class="hidden">{label}</figcaption>
    </figure>
  )
}
