// A link as the labs have it: one drop-tail queue in the device, none above it.

#pragma once

#include "ns3/core-module.h"
#include "ns3/internet-module.h"
#include "ns3/network-module.h"
#include "ns3/point-to-point-module.h"
#include "ns3/traffic-control-module.h"

// Joins two nodes in a network of their own. `room` is what waits in front of each direction, such as 300KB or 165p.
inline ns3::NetDeviceContainer
Connect(ns3::Ptr<ns3::Node> from,
        ns3::Ptr<ns3::Node> to,
        ns3::DataRate rate,
        ns3::Time delay,
        const char* room,
        ns3::Ipv4AddressHelper& addresses)
{
    ns3::PointToPointHelper link;
    link.SetDeviceAttribute("DataRate", ns3::DataRateValue(rate));
    link.SetChannelAttribute("Delay", ns3::TimeValue(delay));
    link.SetQueue("ns3::DropTailQueue<Packet>", "MaxSize", ns3::StringValue(room));
    ns3::NetDeviceContainer devices = link.Install(from, to);
    addresses.Assign(devices);
    ns3::TrafficControlHelper control;
    control.Uninstall(devices);
    addresses.NewNetwork();
    return devices;
}
