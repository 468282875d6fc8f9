/** Every word of the frame around the pages, in one place: to be read together, and to be translated. */

export const TEXTS = {
  bell: {
    none: "Nothing new since you opened this page.",
    title: "Notifications",
    label: (unseen: number) => (unseen === 0 ? "Notifications" : `Notifications, ${unseen} new`),
  },
  keyHelp: {
    keyboardShortcuts: "Keyboard shortcuts",
    groups: [
      [
        "In the list",
        [
          ["j / k", "next, previous"],
          ["Enter", "open"],
          ["x", "select"],
          ["X", "select up to here"],
          ["/", "search"],
          ["Esc", "back to the list"],
        ],
      ],
      [
        "On a hold",
        [
          ["a", "approve (high risk: then Enter)"],
          ["r", "reject"],
          ["e", "amend"],
          ["w", "respond with words, where the agent takes them"],
          ["c", "comment or ask a question"],
          ["l", "claim it, or release it"],
        ],
      ],
      [
        "On runs, changes and skills",
        [
          ["n", "start a run, a change or a session, register skills"],
          ["1 – 4", "plan, files, tests and checks of a change"],
        ],
      ],
      [
        "On a sample",
        [
          ["f", "it was fine that nobody was asked"],
          ["r", "raise a finding, with its reason"],
        ],
      ],
      [
        "Anywhere",
        [
          ["g i", "inbox"],
          ["g r", "runs"],
          ["g c", "code changes"],
          ["g s", "skills and sessions"],
          ["g b", "agents"],
          ["g t", "insights"],
          ["g p", "policy"],
          ["g a", "audit"],
          ["g e", "people"],
          ["g m", "your account"],
          ["Ctrl K", "go to or do anything"],
          ["u", "undo my last decision"],
          ["?", "show these shortcuts"],
        ],
      ],
    ],
  },
  otherPages: {
    morePages: (label: string) => `${label}, more pages`,
    more: "More",
  },
  personMenu: {
    account: (name: string) => `${name}: account, theme, sign out`,
    noRoles: "no roles",
    theme: "Theme",
    desktopNotificationsAreOn: "Desktop notifications are on",
    turnOnDesktopNotifications: "Turn on desktop notifications",
    yourAccount: "Your account",
    notifications: "Notifications",
    signOut: "Sign out",
    signOutEverywhere: "Sign out everywhere",
  },
  shell: {
    skipToContent: "Skip to content",
    handrail: "Handrail: go to the inbox",
    goToAnything: "Go to anything",
    ctrlK: "Ctrl K",
    keyboardShortcuts: "Keyboard shortcuts",
    shortcutsByKey: "Keyboard shortcuts (?)",
    pages: "Pages",
    waiting: (count: string) => `${count} waiting`,
    everythingYouSeeIsUp: "Everything you see is up to date",
    live: "live",
    connecting: "connecting…",
    reconnectingThisPageMayBe: "Reconnecting… this page may be out of date",
    noDecisionHasBeenLost: "No decision has been lost. Open holds stay in the database until someone decides them.",
    tryAgain: "Try again",
    thereIsNoPageAt: "There is no page at this address.",
    goToInbox: "Go to the inbox",
  },
} as const;
