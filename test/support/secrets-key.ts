/** Services and processes of tests seal secrets with it, so that all of them can open them. */
export const SECRETS_KEY = 'dGhlIGxhbXBsaWdodGVyJ3Mga2V5IGZvciB0ZXN0cyE='
