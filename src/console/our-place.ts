// Where somebody goes who has signed in: to the page that they asked for, if it is one of ours.

const HOME = '/admin'

/** Any origin serves, as long as what stays on it is told from what leaves it. */
const HERE = 'http://service.invalid'

/** Read as a browser reads it, which takes `\` for `/` and passes over tabs and line ends. */
export function ourPlace(asked: string | undefined): string {
  if (asked === undefined || !URL.canParse(asked, HERE)) return HOME
  const { origin, pathname, search } = new URL(asked, HERE)
  const isOurs = origin === HERE && /^\/admin(\/|$)/.test(pathname)
  const isDoor = /^\/admin\/+sign-/.test(pathname)
  return isOurs && !isDoor ? pathname + search : HOME
}
