import type { ApiDocument } from '../documents/service-document.ts'
import { type Answers, askOperations } from './ask-operations.ts'
import { runExampleStory } from './example-story.ts'
import { fixedValues } from './fixed-values.ts'
import { openPrivateService } from './private-service.ts'

/** By the name of the operation and the status. */
export async function makeExamples(document: ApiDocument): Promise<object> {
  const kept: Answers = {}
  const from = new Date()
  await using service = await openPrivateService()
  const { app, endpoint, gateway } = service
  const [shop, elsewhere] = [await service.newAccount(), await service.newAccount()]
  await runExampleStory({
    ask: askOperations(app, document, kept, shop.key),
    askElsewhere: askOperations(app, document, kept, elsewhere.key),
    endpoint,
    gateway,
  })
  const fix = fixedValues({
    time: { from, until: new Date() },
    texts: { [endpoint]: 'https://shop.example.com/events' },
  })
  return Object(fix(kept))
}
