//===- InFlight.c - Transfers that may be under way -----------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Verify/Dma/InFlight.h"
#include "IR/Ops/OrDie.h"

/// Flights of one start that are told apart.
enum { kMostFlights = 64 };

static bool sameFlight(const BerthFlight *a, const BerthFlight *b) {
  return mlirOperationEqual(a->start, b->start) &&
         a->isEndless == b->isEndless && a->groups == b->groups &&
         mlirOperationEqual(a->aside, b->aside) &&
         mlirOperationEqual(a->made, b->made) &&
         berthTagPlacesEqual(&a->place, &b->place);
}

bool berthSkyAdd(BerthSky *sky, BerthFlight flight) {
  size_t ofStart = 0;
  for (size_t i = 0; i < sky->count; ++i)
    ofStart += mlirOperationEqual(sky->flights[i].start, flight.start);
  flight.isEndless |= ofStart >= kMostFlights;
  for (size_t i = 0; ofStart >= kMostFlights && i < flight.place.rank; ++i)
    flight.place.indices[i].count = 0;
  for (size_t i = 0; i < sky->count; ++i)
    if (sameFlight(&sky->flights[i], &flight))
      return false;
  sky->flights =
      berthGrow(sky->flights, sky->count, &sky->capacity, sizeof *sky->flights);
  sky->flights[sky->count++] = flight;
  return true;
}

bool berthSkyJoin(BerthSky *into, const BerthSky *from) {
  bool isChanged = from->isReached && !into->isReached;
  into->isReached |= from->isReached;
  for (size_t i = 0; i < from->count; ++i)
    isChanged |= berthSkyAdd(into, from->flights[i]);
  return isChanged;
}

BerthSky berthSkyCopy(const BerthSky *sky) {
  BerthSky copy = {0};
  berthSkyJoin(&copy, sky);
  return copy;
}

bool berthSkyJoinStep(BerthSky *into, const BerthSky *from,
                      const BerthTagStep *step) {
  BerthSky next = berthSkyCopy(from);
  for (size_t i = 0; i < next.count; ++i)
    if (mlirOperationIsNull(next.flights[i].aside))
      berthTagPlaceStep(&next.flights[i].place, step);
  bool isChanged = berthSkyJoin(into, &next);
  free(next.flights);
  return isChanged;
}
