/** Every word of these pages, in one place: to be read together, and to be translated. */

export const TEXTS = {
  mail: {
    theMail: "The mail",
  },
  notificationsPage: {
    notifications: "Notifications",
    howPeopleHearOfHolds: "How people hear of holds, and what became of each message.",
    previewMessages: "Preview messages",
    channels: "Channels",
    policysRoutesSayWhoIs: "the policy's routes say who is notified by which",
    theChannels: "the channels",
    deliveries: "Deliveries",
    whichDeliveries: "Which deliveries",
    whatDeliveries: "deliveries",
    everythingWasDelivered: "No message has failed to arrive.",
    thereAreNone: "There are none.",
    theseAreOldest100: "These are the oldest 100. All of them: handrail deliveries list.",
    byTo: (channel: string) => `by ${channel} to`,
    noOneInParticular: "no one in particular",
    try: "try",
    tries: "tries",
    queued: "· queued",
    route: (route: string) => `· route ${route}`,
    tryAgain: "Try again",
    notSetUpIsMissing: (needs: string | null) => `Not set up: ${needs} is missing`,
    onePlaceForAll: "One place for all",
    reachesEachPersonYouToo: "Reaches each person, you too",
    reachesEachPersonButNot: "Reaches each person, but not you yet: see Your account",
    noRouteOfThePolicy: (where: string) => `${where}. No route of the policy names it`,
    notDelivered: "Not delivered",
    decisionNeeded: "Decision needed",
  },
  previewPage: {
    previewMessages: "Preview messages",
    howHoldLooksOnEach: "How a hold looks on each channel, as it stands now. Nothing is sent.",
    hold: "Hold",
    show: "Show",
    theMessage: "the message",
    asItIsSent: "As it is sent",
    programGetsIt: "A program gets it: see below.",
  },
  pushNote: {
    handrail: "Handrail",
  },
  slackMessage: {
    handrail: "Handrail",
    app: "APP",
  },
  linearIssue: {
    noPriority: "No priority",
  },
} as const;
