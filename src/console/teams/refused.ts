import type { FormFaults } from '../parts/fields.tsx'
import type { Section, Settings } from './settings.ts'

/** A form that could not be taken: what was typed, and what is wrong with it. */
export interface Refused {
  readonly section: Section | 'key'
  readonly typed: Settings
  readonly faults: FormFaults
}
