// A process of its own, in any zone.

import { recurrenceAnswers } from './recurrence-answers.ts'

const offset = new Date(2026, 0).getTimezoneOffset()
console.log(JSON.stringify({ offset, answers: recurrenceAnswers() }))
