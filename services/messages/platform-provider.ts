/** The provider of orders for numbers that another account of the platform holds: the service platform-carrier. */
export const PLATFORM_PROVIDER = "platform";
