/** Every word of these pages, in one place: to be read together, and to be translated. */

export const TEXTS = {
  signInPage: {
    signIn: "Sign in",
    eachLinkWorksOnce: "Each link works once. Ask for a new one, or use your password.",
    thisLinkHasBeenUsed: "This link has been used or has expired.",
    thisLinkSignsYouIn: "This link signs you in, once. It decides nothing.",
    continue: "Continue",
    signingYouInWithYour: "Signing you in with your link…",
    name: "Name",
    password: "Password",
    signingIn: "Signing in…",
    useAPasskey: "Use a passkey",
    noPassword: "No password, or locked out?",
    askAdministratorForOneTime: "Ask an administrator for a one-time link. On the machine that runs Handrail, an administrator can create one:",
    copyCommand: "Copy command",
    signInWith: (title: string) => `Sign in with ${title}`,
    orWithYourNameAnd: "or with your name and password",
    passwordsAreForAdministratorsIn: "Passwords are for administrators in an emergency.",
    youAreSignedInAs: (here: string) => `You are signed in as ${here}`,
    thisLinkIsFor: (other: string) => `This link is for ${other}. If you sign in as ${other}, everything you do after that is recorded under that name.`,
    staySignedInAs: (here: string) => `Stay signed in as ${here}`,
    signInAs: (other: string) => `Sign in as ${other}`,
  },
} as const;
